/** What check() must give, but for the backend. */
export const expected = {
  abc: 'a9993e364706816aba3e25717850c26c9cd0d89d',
  pieces: 'a9993e364706816aba3e25717850c26c9cd0d89d',
  many: 'a9993e364706816aba3e25717850c26c9cd0d89d da39a3ee5e6b4b0d3255bfef95601890afd80709',
  code: 'ERR_SHA1_COLLISION',
  instance: true,
  safe: '4f3d9be4a472c4dae83c6314aa6c36a064c1fd14',
  async: 'a9993e364706816aba3e25717850c26c9cd0d89d',
};
