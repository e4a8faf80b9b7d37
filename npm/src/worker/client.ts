// The page's side of the Worker in which long messages can be hashed.
import { source } from '#worker';
import type { Lane } from '../lane.js';
import type { Answer } from '../report.js';
import type { Reply, Request } from './protocol.js';

/** Milliseconds without a hasher after which the Worker is ended. */
const IDLE = 10_000;
/** Milliseconds in which it must have started. */
const PATIENCE = 5_000;

interface Call {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

class Client {
  readonly #worker: Worker;
  readonly #calls = new Map<number, Call>();
  #next = 0;
  #hashers = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #ended: Error | undefined;

  /** Throws where there is no Worker, or none out of a Blob. */
  constructor() {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    this.#worker = new Worker(url, { name: 'sha1dc' });
    this.#worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      URL.revokeObjectURL(url);
      this.#calls.get(data.call)?.resolve(data);
      this.#calls.delete(data.call);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.end(`failed: ${event.message}`);
    };
  }

  ask(request: (call: number) => Request, transfer: Transferable[] = []): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#ended);
        return;
      }
      const call = this.#next++;
      this.#calls.set(call, { resolve, reject });
      this.#worker.postMessage(request(call), transfer);
    });
  }

  #tell(request: Request): void {
    if (!this.#ended) this.#worker.postMessage(request);
  }

  end(why: string): void {
    if (started?.client === this) started = undefined;
    this.#ended = new Error(`sha1dc: the Worker ${why}`);
    this.#worker.terminate();
    for (const { reject } of this.#calls.values()) reject(this.#ended);
    this.#calls.clear();
  }

  lane(flags: number): Lane {
    const hasher = this.#next++;
    clearTimeout(this.#idle);
    this.#hashers += 1;
    this.#tell({ do: 'create', hasher, flags });
    const over = () => {
      this.#hashers -= 1;
      if (this.#hashers === 0) this.#idle = setTimeout(() => this.end('has ended'), IDLE);
    };
    return {
      update: async (bytes, length) => {
        const buffer = bytes.buffer as ArrayBuffer;
        const reply = await this.ask((call) => ({ do: 'update', call, hasher, buffer, length }), [buffer]);
        return new Uint8Array(reply.buffer!);
      },
      finish: async (): Promise<Answer> => {
        const { answer } = await this.ask((call) => ({ do: 'finish', call, hasher }));
        over();
        return answer!;
      },
      free: () => {
        this.#tell({ do: 'free', hasher });
        over();
      },
    };
  }
}

/** The one Worker of the page, and whether it answers. */
let started: { client: Client; ready: Promise<unknown> } | undefined;
/** Once a policy has forbidden it, it is not tried again: each try is a report in the console. */
let forbidden = false;

function start(module: WebAssembly.Module): { client: Client; ready: Promise<unknown> } {
  const client = new Client();
  const timer = setTimeout(() => client.end('did not start'), PATIENCE);
  const ready = client.ask((call) => ({ do: 'start', call, module })).finally(() => clearTimeout(timer));
  return { client, ready };
}

/** A lane in the page's Worker; `undefined` where there can be none. */
export async function workerLane(module: WebAssembly.Module, flags: number): Promise<Lane | undefined> {
  if (forbidden) return undefined;
  try {
    started ??= start(module);
    const { client, ready } = started;
    await ready;
    return client.lane(flags);
  } catch {
    forbidden = true;
    return undefined;
  }
}
