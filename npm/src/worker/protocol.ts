// What a page and its Worker say to each other. What has a `call` is answered.
import type { Answer } from '../report.js';

export type Request =
  | { do: 'start'; call: number; module: WebAssembly.Module }
  | { do: 'create'; hasher: number; flags: number }
  | { do: 'update'; call: number; hasher: number; buffer: ArrayBuffer; length: number }
  | { do: 'finish'; call: number; hasher: number }
  | { do: 'free'; hasher: number };

export interface Reply {
  call: number;
  /** The buffer of an update, given back. */
  buffer?: ArrayBuffer;
  /** Of a finish. */
  answer?: Answer;
}
