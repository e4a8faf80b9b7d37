// All that the page says about a file. The file is read as a stream, so its size does not matter.
import { createHash, twin } from 'sha1dc';

/** For the other file of a pair this one is taken into memory as a whole. */
const TWIN_LIMIT = 512 << 20;

/**
 * Hashes `file` (a Blob). Gives its digest, its safe digest, the attacked blocks, the twin's bytes or null, and the time spent
 * on hashing.
 */
export async function examine(file, onProgress = () => {}) {
  const hash = createHash('sha1', { mode: 'report' });
  let milliseconds = 0;
  let done = 0;
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const start = performance.now();
    hash.update(part.value);
    milliseconds += performance.now() - start;
    done += part.value.length;
    onProgress(done, file.size);
  }
  const safeDigest = hash.copy({ mode: 'mitigate' }).digest('hex');
  const digest = hash.digest('hex');
  const { collisions } = hash;
  const other = collisions.length > 0 && file.size <= TWIN_LIMIT ? twin(await file.arrayBuffer()) : null;
  return { digest, safeDigest, collisions, twin: other, milliseconds };
}
