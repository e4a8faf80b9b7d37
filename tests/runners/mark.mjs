/** Begins a line of a run's output that is meant for the runner. */
export const MARK = '\u0001sha1dc ';
