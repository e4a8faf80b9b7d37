export default {
  ssr: { noExternal: process.env.BUNDLED ? true : undefined },
};
