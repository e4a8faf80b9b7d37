// The decoders for platforms without Buffer must be as lenient as Buffer, in the same way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, numbers } from './source.mjs';

const { decode, toBase64 } = await load('decode');
const alphabets = {
  hex: ['0123456789abcdefABCDEF', '0123456789abcdefgG \u0130\u0661\u0143é'],
  base64: ['ABCXYZabcxyz0189+/', 'ABYZabyz0189+/-_= \n\t\u0100\u0143\u013dé', 'A=b-_'],
  latin1: ['abc\u00ff\u0100\u2603\ud83d\ude00'],
  utf16le: ['abc\u00ff\u0100\u2603\ud83d\ude00'],
};

for (const [encoding, choices] of Object.entries(alphabets)) {
  test(`${encoding} text is decoded as Buffer does`, () => {
    const below = numbers(encoding.length);
    for (let round = 0; round < 20000; round++) {
      const characters = [...choices[below(choices.length)]].join('');
      let text = '';
      for (let length = below(24); length > 0; length--) text += characters[below(characters.length)];
      if (encoding === 'hex' && text.length % 2 === 1) text += '0';
      const expected = Buffer.from(text, encoding).toString('hex');
      assert.equal(Buffer.from(decode(text, encoding)).toString('hex'), expected, JSON.stringify(text));
    }
  });
}

test('bytes are written in base64 as Buffer does', () => {
  const below = numbers(64);
  for (let round = 0; round < 2000; round++) {
    const bytes = Uint8Array.from({ length: below(40) }, () => below(256));
    assert.equal(toBase64(bytes), Buffer.from(bytes).toString('base64'));
  }
});
