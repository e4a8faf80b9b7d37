import { sha1, sha1Stream, createHash } from 'sha1dc';

const hex: string = sha1(new Uint8Array(3));
const bytes: Uint8Array = createHash('sha1').update('a').digest();
const later: Promise<string> = sha1Stream(new Blob(['abc']));
const body: ReadableStream<Uint8Array> | null = new Response('x').body;
if (body) void sha1Stream(body);
console.log(hex, bytes, later);
