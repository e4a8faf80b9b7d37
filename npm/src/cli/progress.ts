// How far a large file is, on standard error.
import { escapeName } from './sums.js';

/** Smaller files are done before a person can read it. */
const LARGE = 256 * 1024 * 1024;
const INTERVAL = 100;

function amount(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (bytes >= 1024 && unit < units.length - 1) {
    bytes /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}

export class Bar {
  readonly #wanted: boolean | undefined;
  readonly #terminal = process.stderr.isTTY;
  #name = '';
  #size: number | undefined;
  #shown = false;
  #done = 0;
  #started = 0;
  #last = 0;

  /** `wanted` is what the user said: yes, no, or nothing. */
  constructor(wanted: boolean | undefined) {
    this.#wanted = wanted;
  }

  start(name: string, size: number | undefined): void {
    this.#name = name;
    this.#size = size;
    this.#done = 0;
    this.#started = this.#last = Date.now();
    const large = size !== undefined && size >= LARGE;
    this.#shown = this.#wanted ?? (this.#terminal && large);
  }

  advance(bytes: number): void {
    this.#done += bytes;
    if (!this.#shown || !this.#terminal) return;
    const now = Date.now();
    if (now - this.#last < INTERVAL) return;
    this.#last = now;
    process.stderr.write(`\r${this.#line()}\x1b[K`);
  }

  end(): void {
    if (!this.#shown) return;
    if (this.#terminal) process.stderr.write('\r\x1b[K');
    else process.stderr.write(`${this.#line()}\n`);
  }

  #line(): string {
    const seconds = (Date.now() - this.#started) / 1000;
    const speed = seconds > 0.1 ? `, ${amount(this.#done / seconds)}/s` : '';
    const part =
      this.#size === undefined
        ? amount(this.#done)
        : `${Math.floor((100 * this.#done) / this.#size)} % of ${amount(this.#size)}`;
    const name = Buffer.from(escapeName(this.#name).name, 'latin1').toString();
    return `${name}: ${part}${speed}`;
  }
}
