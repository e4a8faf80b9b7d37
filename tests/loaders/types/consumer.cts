import sha1dc = require('sha1dc');

const { createHash, CollisionError } = sha1dc;
const hex: string = sha1dc.sha1('abc');
const bytes: Uint8Array = sha1dc.sha1('abc', 'buffer');
const callable: string = sha1dc('abc');
const digest: string = createHash('sha1').update('a').digest('hex');
console.log(hex, bytes, callable, digest, new Error() instanceof CollisionError);
