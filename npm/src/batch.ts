// Many messages in one call: read first, then packed into groups, each of which crosses to the engine once.
import { encoded, outputEncoding } from './encoding.js';
import { engine } from './engine/current.js';
import type { Group } from './engine/engine.js';
import { CollisionError, wrongData, wrongType } from './errors.js';
import { LONGEST_HEADER, checkType, writeHeader } from './git.js';
import { hexOf, writeDigest } from './hex.js';
import { byteLength, bytesOf, isPrivate, slice, take } from './intrinsics.js';
import { DETECT, MITIGATE, MODE_MASK, flagsOf, inspecting } from './options.js';
import { eachReport, inspectionOf, reportOf, type Answer, type Report } from './report.js';
import { lengthOfText } from './text.js';
import { platform } from '#platform';
import type { BinaryDigest, Data, Encoding, GitObject, GitType, Inspection, Options, TextEncoding } from './types.js';

let blank: readonly undefined[] = Array.from({ length: 1024 }, () => undefined);

/** A list with `length` elements of its own. (Filling holes would ask the setters that somebody put on Array.prototype.) */
function list<T>(length: number): T[] {
  let elements = blank;
  while (elements.length < length) elements = elements.concat(elements);
  // Kept up to a size that does no harm.
  if (elements.length <= 1 << 16) blank = elements;
  return elements.slice(0, length) as unknown[] as T[];
}

type Message = string | Uint8Array;

/** A message as the engine can take it. Here the caller's getters run, and not later. */
function read(value: unknown, name: string, index: number): Message {
  if (typeof value === 'string') return value;
  const bytes = bytesOf(value);
  if (bytes === undefined) throw wrongData(name.replace('%', String(index)), value);
  return bytes;
}

function checkList(value: unknown, name: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(name, 'an instance of Array', value);
}

function readMessages(messages: unknown): Message[] {
  checkList(messages, 'messages');
  const { length } = messages;
  const own = list<Message>(length);
  for (let i = 0; i < length; i++) own[i] = read(messages[i], 'messages[%]', i);
  return own;
}

/** The digests of one call: where they go, and what has been found. */
interface Sink {
  /** Whether the engine is to write hex. */
  readonly asHex: boolean;
  /** Takes digests `first..first + count` of a group; message k of the group is message `places[k]` of the call. */
  take(bytes: Uint8Array, start: number, count: number, places: Int32Array): void;
  /** Takes the digest of a message that was hashed by itself. */
  takeOne(index: number, answer: Answer): void;
}

/** Text digests are cut from pieces of so many: one call makes many, and a digest that is kept keeps few others alive. */
const CUT = 64;

class TextSink implements Sink {
  readonly asHex = true;
  readonly digests: string[];
  readonly #safe: boolean;

  constructor(count: number, flags: number) {
    this.digests = list(count);
    this.#safe = (flags & MODE_MASK) === MITIGATE;
  }

  take(bytes: Uint8Array, start: number, count: number, places: Int32Array): void {
    for (let from = 0; from < count; from += CUT) {
      const to = Math.min(from + CUT, count);
      const text = platform.ascii(bytes, start + 40 * from, start + 40 * to);
      for (let k = from, at = 0; k < to; k++, at += 40) this.digests[places[k]] = text.slice(at, at + 40);
    }
  }

  takeOne(index: number, answer: Answer): void {
    const { digest, safeDigest } = inspectionOf(answer);
    this.digests[index] = this.#safe ? safeDigest : digest;
  }
}

class BytesSink implements Sink {
  readonly asHex = false;
  readonly digests: BinaryDigest;
  readonly #safe: boolean;

  constructor(count: number, flags: number) {
    this.digests = platform.result(20 * count) as BinaryDigest;
    this.#safe = (flags & MODE_MASK) === MITIGATE;
  }

  take(bytes: Uint8Array, start: number, count: number, places: Int32Array): void {
    const { digests } = this;
    for (let k = 0; k < count; k++) {
      const to = 20 * places[k];
      const from = start + 20 * k;
      for (let i = 0; i < 20; i++) digests[to + i] = bytes[from + i]!;
    }
  }

  takeOne(index: number, answer: Answer): void {
    const { digest, safeDigest } = inspectionOf(answer);
    writeDigest(this.#safe ? safeDigest : digest, this.digests, 20 * index);
  }
}

/** Packs messages into groups and hands them to the engine. */
class Packer {
  readonly #flags: number;
  readonly #sink: Sink;
  readonly #onReport: (report: Report) => void;
  #group: Group;
  readonly #places: Int32Array;
  #large: Uint8Array[] = [];
  #largeCount = 0;
  #count = 0;
  #at: number;

  constructor(flags: number, sink: Sink, onReport: (report: Report) => void) {
    this.#flags = flags;
    this.#sink = sink;
    this.#onReport = onReport;
    this.#group = engine.group();
    this.#at = 0;
    this.#places = new Int32Array(engine.groupSize);
  }

  add(index: number, message: Message, type?: GitType): void {
    const text = typeof message === 'string';
    const most = text ? 3 * message.length : byteLength(message);
    const room = most + LONGEST_HEADER;
    if (!text && type === undefined && most <= engine.copied && this.#at + room <= this.#group.arenaEnd) {
      // What most messages are: short, and there is room.
      if (this.#count === engine.groupSize) this.flush();
      const at = this.#at;
      take(this.#group.arena, message, most, at);
      this.#place(index, at, most);
      this.#at = at + most;
      return;
    }
    // Text has to be turned into bytes anyway, so it is copied while it fits.
    if ((text || most <= engine.copied) && room <= this.#group.arenaEnd) {
      this.#reserve(room);
      this.#copy(index, message, type);
    } else if (!text && engine.takesLarge && isPrivate(message)) {
      this.#reserve(LONGEST_HEADER);
      this.#refer(index, message, type);
    } else {
      this.#alone(index, message, type);
    }
  }

  #reserve(room: number): void {
    if (this.#count === engine.groupSize || this.#at + room > this.#group.arenaEnd) this.flush();
  }

  #place(index: number, start: number, length: number): void {
    const { layout, layoutStart } = this.#group;
    layout[layoutStart + 2 * this.#count] = start;
    layout[layoutStart + 2 * this.#count + 1] = length;
    this.#places[this.#count++] = index;
  }

  #copy(index: number, message: Message, type: GitType | undefined): void {
    const { arena } = this.#group;
    const at = type === undefined ? this.#at : this.#at + LONGEST_HEADER;
    let length: number;
    if (typeof message === 'string') {
      length = message === '' ? 0 : platform.write(message, arena, at);
    } else {
      length = byteLength(message);
      take(arena, message, length, at);
    }
    const start = type === undefined ? at : writeHeader(type, length, arena, at);
    this.#place(index, start, at + length - start);
    this.#at = at + length;
  }

  #refer(index: number, message: Uint8Array, type: GitType | undefined): void {
    let start = this.#at;
    if (type !== undefined) {
      this.#at += LONGEST_HEADER;
      start = writeHeader(type, byteLength(message), this.#group.arena, this.#at);
    }
    this.#place(index, start, ~(this.#at - start));
    if (this.#largeCount === 0) this.#large = list(engine.groupSize);
    this.#large[this.#largeCount++] = message;
  }

  #alone(index: number, message: Message, type: GitType | undefined): void {
    // The engine may use the arena for it.
    this.flush();
    const text = typeof message === 'string';
    let answer: Answer;
    if (type === undefined) {
      answer = text ? engine.hashText(message, this.#flags) : engine.hash(message, this.#flags)!;
    } else {
      const size = text ? lengthOfText(message) : byteLength(message);
      const header = platform.allocate(LONGEST_HEADER);
      const slot = engine.create(this.#flags);
      engine.updateRange(slot, header, writeHeader(type, size, header, LONGEST_HEADER), LONGEST_HEADER);
      if (text) engine.updateText(slot, message);
      else engine.update(slot, slice(message, 0, size));
      answer = engine.finish(slot);
    }
    this.#sink.takeOne(index, answer);
    if (typeof answer !== 'string') this.#onReport({ ...reportOf(answer), index });
    this.#renew();
  }

  /** Starts a group. Memory of the engine's may have moved since the last one. */
  #renew(): void {
    this.#count = this.#largeCount = 0;
    this.#large = [];
    this.#group = engine.group();
    this.#at = 0;
  }

  flush(): void {
    const count = this.#count;
    if (count === 0) return;
    const { bytes, start, reports } = engine.hashMany(count, this.#large, this.#flags, this.#sink.asHex);
    this.#sink.take(bytes, start, count, this.#places);
    if (reports !== undefined) {
      eachReport(reports, (report) => this.#onReport({ ...report, index: this.#places[report.index] }));
    }
    this.#renew();
  }
}

/** Hashes all, and throws in the mode 'detect' when an attack is among them: one error that names them all. */
function run(messages: readonly Message[], types: readonly GitType[] | undefined, flags: number, sink: Sink): void {
  const detect = (flags & MODE_MASK) === DETECT;
  const indexes = new Set<number>();
  let first: Report | undefined;
  const packer = new Packer(flags, sink, (report) => {
    if (!detect) return;
    indexes.add(report.index);
    if (first === undefined || report.index < first.index) first = report;
  });
  for (let i = 0; i < messages.length; i++) packer.add(i, messages[i], types?.[i]);
  packer.flush();
  if (first !== undefined) {
    throw new CollisionError(
      first.digest,
      first.collisions,
      Array.from(indexes).sort((a, b) => a - b),
    );
  }
}

function digests(
  messages: readonly Message[],
  types: readonly GitType[] | undefined,
  output: Encoding,
  flags: number,
): string[] | BinaryDigest {
  if (output === 'buffer') {
    const sink = new BytesSink(messages.length, flags);
    run(messages, types, flags, sink);
    return sink.digests;
  }
  const sink = new TextSink(messages.length, flags);
  run(messages, types, flags, sink);
  if (output !== 'hex') {
    const { digests } = sink;
    for (let i = 0; i < digests.length; i++) digests[i] = encoded(digests[i], output) as string;
  }
  return sink.digests;
}

/**
 * Hashes many messages: faster than one by one, since many are hashed at the same time.
 *
 * @returns The digests in the messages' order; with `'buffer'` one Uint8Array of 20 bytes for each.
 * @throws {@link CollisionError} when a message holds an attack: `index` is the place of the first, `indexes` of all.
 * @example
 * sha1Many(['a', 'b', new Uint8Array(3)]); // three strings
 * sha1Many(messages, 'buffer').subarray(20, 40); // the digest of messages[1]
 */
export function sha1Many(messages: readonly Data[], encoding?: TextEncoding, options?: Options): string[];
export function sha1Many(messages: readonly Data[], encoding: 'buffer', options?: Options): BinaryDigest;
export function sha1Many(messages: readonly Data[], encoding?: Encoding, options?: Options): string[] | BinaryDigest;
export function sha1Many(messages: readonly Data[], encoding?: Encoding, options?: Options): string[] | BinaryDigest {
  const output = encoding === undefined ? 'hex' : outputEncoding(encoding);
  const flags = flagsOf(options);
  return digests(readMessages(messages), undefined, output, flags);
}

/**
 * Names many objects of git at once.
 *
 * @returns The names in the objects' order; with `'buffer'` one Uint8Array of 20 bytes for each.
 * @throws {@link CollisionError} as {@link sha1Many}.
 * @example
 * hashObjects([
 *   { type: 'blob', content: 'hello world\n' },
 *   { type: 'tree', content: '' },
 * ]); // ['3b18e512dba79e4c8300dd08aeb37f8e728b8dad', '4b825dc642cb6eb9a060e54bf8d69288fbee4904']
 */
export function hashObjects(objects: readonly GitObject[], encoding?: TextEncoding, options?: Options): string[];
export function hashObjects(objects: readonly GitObject[], encoding: 'buffer', options?: Options): BinaryDigest;
export function hashObjects(
  objects: readonly GitObject[],
  encoding?: Encoding,
  options?: Options,
): string[] | BinaryDigest;
export function hashObjects(
  objects: readonly GitObject[],
  encoding?: Encoding,
  options?: Options,
): string[] | BinaryDigest {
  const output = encoding === undefined ? 'hex' : outputEncoding(encoding);
  const flags = flagsOf(options);
  checkList(objects, 'objects');
  const { length } = objects;
  const types = list<GitType>(length);
  const contents = list<Message>(length);
  for (let i = 0; i < length; i++) {
    const object = objects[i] as GitObject | null | undefined;
    if (typeof object !== 'object' || object === null) throw wrongType(`objects[${i}]`, 'of type object', object);
    types[i] = checkType(object.type, `objects[${i}].type`);
    contents[i] = read(object.content, 'objects[%].content', i);
  }
  return digests(contents, types, output, flags);
}

/** Collects digests, and later what was found. */
class InspectionSink implements Sink {
  readonly asHex = false;
  readonly inspections: Inspection[];

  constructor(count: number) {
    this.inspections = list(count);
  }

  take(bytes: Uint8Array, start: number, count: number, places: Int32Array): void {
    for (let k = 0; k < count; k++) {
      this.inspections[places[k]] = inspectionOf(hexOf(bytes, start + 20 * k));
    }
  }

  takeOne(index: number, answer: Answer): void {
    this.inspections[index] = inspectionOf(answer);
  }
}

/**
 * Looks at many messages: {@link inspect} for each, faster.
 *
 * @example
 * const attacked = inspectMany(messages).filter(({ collision }) => collision);
 */
export function inspectMany(messages: readonly Data[], options?: Options): Inspection[] {
  const flags = inspecting(flagsOf(options));
  const read = readMessages(messages);
  const sink = new InspectionSink(read.length);
  const packer = new Packer(flags, sink, ({ index, digest, safeDigest, collisions }) => {
    sink.inspections[index] = { digest, safeDigest, collision: true, collisions };
  });
  for (let i = 0; i < read.length; i++) packer.add(i, read[i]);
  packer.flush();
  return sink.inspections;
}
