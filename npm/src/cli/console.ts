// Standard output and standard error.
import { getSystemErrorMap } from 'node:util';
import { quoteName } from './sums.js';

/** As the C library says it, where libuv says it otherwise. */
const WORDS: Record<string, string> = {
  EISDIR: 'Is a directory',
  ERR_SHA1DC_SIZE: 'The file has changed while it was read',
};

function wordsFor(error: unknown): string {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  if (code !== undefined && Object.hasOwn(WORDS, code)) return WORDS[code];
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  const words = known ?? message;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Lines kept until there are many; on a terminal each is shown at once. */
const KEPT = 64 * 1024;

export class Console {
  #lines = '';
  readonly #terminal = process.stdout.isTTY;

  constructor() {
    // Whoever reads may have had enough.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(1);
    });
  }

  /** Prints text of bytes. */
  print(text: string): void {
    this.#lines += text;
    if (this.#terminal || this.#lines.length >= KEPT) this.flush();
  }

  flush(): void {
    if (this.#lines !== '') process.stdout.write(Buffer.from(this.#lines, 'latin1'));
    this.#lines = '';
  }

  complain(message: string): void {
    // In order, where both go to the same place.
    if (this.#terminal) this.flush();
    process.stderr.write(Buffer.from(`sha1dc: ${message}\n`, 'latin1'));
  }

  /** Says what is wrong with a file. */
  complainOf(name: string, error: unknown): void {
    this.complain(`${quoteName(name)}: ${wordsFor(error)}`);
  }
}
