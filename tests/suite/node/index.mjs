export const nodeSuites = [];
