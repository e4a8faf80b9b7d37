// What an engine says of attacked messages, read (see bindings-wasm/src/report.rs for how it is written).
import { CollisionError } from './errors.js';
import { hexOf } from './hex.js';
import { copyOf } from './intrinsics.js';
import { DETECT, MITIGATE, MODE_MASK } from './options.js';
import type { CollisionBlock, Inspection } from './types.js';

const HEAD = 48;
const BLOCK = 81;

export interface Report {
  /** Which message of a batch. */
  index: number;
  digest: string;
  safeDigest: string;
  collisions: CollisionBlock[];
}

function readBlock(view: DataView, bytes: Uint8Array, at: number): CollisionBlock {
  let end = at + 16;
  while (bytes[end - 1] === 0) end -= 1;
  return {
    offset: view.getFloat64(at, true),
    disturbanceVector: String.fromCharCode(...bytes.subarray(at + 8, end)),
    reducedRound: bytes[at + 16] === 1,
    partner: copyOf(bytes, at + 17, at + BLOCK),
  };
}

function readReport(view: DataView, bytes: Uint8Array, at: number, count: number): Report {
  return {
    index: view.getUint32(at, true),
    digest: hexOf(bytes, at + 8),
    safeDigest: hexOf(bytes, at + 28),
    collisions: Array.from({ length: count }, (_, i) => readBlock(view, bytes, at + HEAD + i * BLOCK)),
  };
}

/** The reports of a batch, one after the other. */
export function eachReport(bytes: Uint8Array, take: (report: Report) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    const count = view.getUint32(at + 4, true);
    take(readReport(view, bytes, at, count));
    at += HEAD + count * BLOCK;
  }
}

/** The report of one message. */
export function reportOf(bytes: Uint8Array): Report {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readReport(view, bytes, 0, view.getUint32(4, true));
}

/** An engine's answer for one message: its digest as hex, or a report. */
export type Answer = string | Uint8Array;

/** The digest that the mode calls for, or the error. */
export function settle(answer: Answer, flags: number): string {
  return typeof answer === 'string' ? answer : settleReport(reportOf(answer), flags);
}

export function settleReport({ digest, safeDigest, collisions }: Report, flags: number): string {
  const mode = flags & MODE_MASK;
  if (mode === DETECT) throw new CollisionError(digest, collisions);
  return mode === MITIGATE ? safeDigest : digest;
}

export function inspectionOf(answer: Answer): Inspection {
  if (typeof answer === 'string') return { digest: answer, safeDigest: answer, collision: false, collisions: [] };
  const { digest, safeDigest, collisions } = reportOf(answer);
  return { digest, safeDigest, collision: true, collisions };
}
