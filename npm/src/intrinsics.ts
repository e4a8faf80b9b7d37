// Functions that cannot be lied to.
//
// A view's properties can be overridden, on the object, its class or its prototype; the getters of the language itself read
// what really is. They are taken here, at load, once and for all.

type Getter = () => unknown;

/** The function `f` with its `this` as first argument. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const uncurry = <R>(f: (...args: any[]) => unknown): ((self: any, ...args: any[]) => R) =>
  Function.prototype.call.bind(f) as never;

const getter = <R>(prototype: object, key: PropertyKey) =>
  uncurry<R>(Object.getOwnPropertyDescriptor(prototype, key)!.get as Getter);

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;

/** The name of a typed array's class, and `undefined` for whatever is none. */
export const typedArrayName = getter<string | undefined>(typedArray, Symbol.toStringTag);
export const byteLength = getter<number>(typedArray, 'byteLength');
export const byteOffset = getter<number>(typedArray, 'byteOffset');
export const bufferOf = getter<ArrayBufferLike>(typedArray, 'buffer');
/** `target.set(source, at)`, whatever `source` says of itself. */
export const setBytes = uncurry<void>(Uint8Array.prototype.set) as (
  target: Uint8Array,
  source: Uint8Array,
  at: number,
) => void;
export const subarray = uncurry<Uint8Array>(Uint8Array.prototype.subarray);

const dataViewLength = getter<number>(DataView.prototype, 'byteLength');
const dataViewOffset = getter<number>(DataView.prototype, 'byteOffset');
const dataViewBuffer = getter<ArrayBufferLike>(DataView.prototype, 'buffer');
const arrayBufferLength = getter<number>(ArrayBuffer.prototype, 'byteLength');
// Pages that are not isolated have no SharedArrayBuffer.
const sharedLength =
  typeof SharedArrayBuffer === 'undefined' ? undefined : getter<number>(SharedArrayBuffer.prototype, 'byteLength');

const { isView } = ArrayBuffer;
const ArrayBufferAtLoad = ArrayBuffer;
const EMPTY = new Uint8Array(0);

/** The bytes of a buffer; none of one that has been detached or has shrunk since its length was asked. */
function viewOf(buffer: ArrayBufferLike, offset: number, length: number): Uint8Array {
  return length === 0 ? EMPTY : new Uint8Array(buffer, offset, length);
}

/** A DataView's getters throw where a typed array's give 0: when it is detached or out of bounds. */
function bytesOfDataView(view: object): Uint8Array {
  try {
    return viewOf(dataViewBuffer(view), dataViewOffset(view), dataViewLength(view));
  } catch {
    return EMPTY;
  }
}

function bytesOfBuffer(value: object): Uint8Array | undefined {
  for (const length of [arrayBufferLength, sharedLength]) {
    try {
      if (length) return viewOf(value as ArrayBuffer, 0, length(value));
    } catch {
      // Not a buffer of this kind.
    }
  }
  return undefined;
}

/**
 * The bytes of a view or a buffer as a Uint8Array, `undefined` for all else. A Uint8Array is given back as it is: what
 * its properties say is not to be believed.
 */
export function bytesOf(data: unknown): Uint8Array | undefined {
  const name = typedArrayName(data);
  if (name === 'Uint8Array') return data as Uint8Array;
  if (name !== undefined) return viewOf(bufferOf(data), byteOffset(data), byteLength(data));
  if (typeof data !== 'object' || data === null) return undefined;
  return isView(data) ? bytesOfDataView(data) : bytesOfBuffer(data);
}

/** Bytes `start..end` of a Uint8Array, clamped to what it has now. Its own `subarray` would ask its class. */
export function slice(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const length = byteLength(bytes);
  if (end > length) end = length;
  return end <= start ? EMPTY : new Uint8Array(bufferOf(bytes), byteOffset(bytes) + start, end - start);
}

/**
 * Copies the first `length` bytes of `source`, which had as many when it was asked. A view that tracks the length of a
 * growable SharedArrayBuffer may have more by now, since another thread can make it grow.
 */
export function take(target: Uint8Array, source: Uint8Array, length: number, at: number): void {
  if (length === 0) return;
  try {
    setBytes(target, source, at);
  } catch {
    setBytes(target, slice(source, 0, length), at);
  }
}

/** A copy of bytes `start..end`: a plain Uint8Array, whatever they are of. (`slice` would ask for their class.) */
export function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(end - start);
  if (end > start) setBytes(copy, slice(bytes, start, end), 0);
  return copy;
}

/** Whether no other thread can write these bytes. A buffer of another realm counts as shared: copying is never wrong. */
export function isPrivate(bytes: Uint8Array): boolean {
  return bufferOf(bytes) instanceof ArrayBufferAtLoad;
}

/** Whether another thread can write these bytes, in whatever realm they were made. */
export function isShared(bytes: Uint8Array): boolean {
  if (isPrivate(bytes)) return false;
  try {
    sharedLength?.(bufferOf(bytes));
    return sharedLength !== undefined;
  } catch {
    return false;
  }
}
