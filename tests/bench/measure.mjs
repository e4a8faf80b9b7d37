// Measuring by turns, in Node and in a page.
//
// A machine's speed drifts: its clock, its neighbours, what the compiler knows. So no contestant runs alone. In each round
// everyone gives one sample, and a ratio is taken between two samples of the same round; what is told is the median.

/** Milliseconds: of CPU where the process can tell, so that other programs on the machine cost nothing; else of the clock. */
export const now =
  globalThis.process?.cpuUsage === undefined
    ? () => performance.now()
    : () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1000;
      };

/**
 * A contestant that calls `hash(data)`. The loop is compiled for this one alone: in a loop that all share, the engine could
 * not know what it calls.
 */
export function calls(name, facts, hash, data) {
  const loop = new Function(
    'hash',
    'data',
    'let kept; return (times) => { for (let i = 0; i < times; i++) kept = hash(data); return kept; };',
  )(hash, data);
  return { name, ...facts, sample: timed(loop), answer: () => hash(data) };
}

/** A contestant that calls `hash(message)` for each of `messages`. */
export function callsEach(name, facts, hash, messages) {
  const loop = new Function(
    'hash',
    'messages',
    `const out = new Array(messages.length);
     return (times) => {
       for (let i = 0; i < times; i++) for (let j = 0; j < messages.length; j++) out[j] = hash(messages[j]);
       return out;
     };`,
  )(hash, messages);
  return { name, ...facts, sample: timed(loop), answer: () => [...loop(1)] };
}

/** A contestant whose `hash(data)` gives a promise; the clock runs, since the work is done elsewhere. */
export function awaits(name, facts, hash, data) {
  const sample = async (times) => {
    const start = performance.now();
    for (let i = 0; i < times; i++) await hash(data);
    return performance.now() - start;
  };
  return { name, ...facts, sample, answer: () => hash(data) };
}

function timed(loop) {
  return (times) => {
    const start = now();
    loop(times);
    return now() - start;
  };
}

/** Checks everybody's answers against the first one's, then lets them run by turns. */
export async function contest(contestants, { rounds, milliseconds }) {
  const expected = JSON.stringify(await contestants[0].answer());
  for (const { name, answer } of contestants) {
    if (JSON.stringify(await answer()) !== expected) throw new Error(`${name} finds another digest`);
  }

  // As many times as fill a sample, found by growing. Twice: the first time, the engine compiles.
  const count = async ({ sample }) => {
    let times = 1;
    let took = await sample(times);
    for (let warm = 0; took < milliseconds || warm++ < 4; took = await sample(times)) {
      if (took < milliseconds)
        times = took > milliseconds / 8 ? Math.ceil((times * milliseconds * 1.2) / took) : times * 4;
    }
    return Math.max(1, Math.round((times * milliseconds) / took));
  };
  const counts = [];
  for (const contestant of [...contestants, ...contestants]) counts.push(await count(contestant));
  counts.splice(0, contestants.length);

  const rows = contestants.map(({ name, ours, detects }) => ({ name, ours, detects, samples: [] }));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < contestants.length; i++) {
      // Another one begins each time: nobody always runs behind the same neighbour.
      const at = (i + round * 7) % contestants.length;
      rows[at].samples.push((await contestants[at].sample(counts[at])) / counts[at]);
    }
  }
  return rows;
}

export function quantile(values, q) {
  const sorted = Float64Array.from(values).sort();
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at % 1);
}

const rounded = (value, digits) => Number(value.toFixed(digits));

/** What is told of a contest: as the native half does. `bases` are the names of rows that ratios are to. */
export function summary({ name, title, messages, bytes, bases }, rows) {
  const found = rows.filter((row) => bases.includes(row.name));
  const told = rows.map((row) => {
    const median = quantile(row.samples, 0.5);
    const half = Math.max(quantile(row.samples, 0.75) - median, median - quantile(row.samples, 0.25));
    const ratio = found.map((base) => [
      base.name,
      rounded(quantile(row.samples.map((own, round) => base.samples[round] / own), 0.5), 3), // prettier-ignore
    ]);
    return {
      name: row.name,
      ours: row.ours,
      detects: row.detects,
      ratio: Object.fromEntries(ratio),
      mib_per_s: rounded((bytes / 1048576 / median) * 1000, 1),
      ns_per_message: rounded((median * 1e6) / messages, 1),
      ns_per_message_best: rounded((quantile(row.samples, 0) * 1e6) / messages, 1),
      spread: rounded(half / median, 3),
      rounds: row.samples.length,
    };
  });
  return { name, title, messages, bytes, rows: told };
}
