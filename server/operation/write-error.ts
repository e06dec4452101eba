/** What the codes of the operating system mean for a file that is written, and the remedy. */
const REASONS: Record<string, string> = {
  EACCES: 'This user may not write there. Give it the folder, or choose another one.',
  EPERM: 'This user may not write there. Give it the folder, or choose another one.',
  EROFS: 'The disk is read-only. Choose another one.',
  ENOSPC: 'The disk is full. Free space on it, or choose another one.',
  EDQUOT: 'The quota of this user is used up. Free space, or choose another disk.',
}

/** The error as a sentence with the path and the remedy, where the operating system refused a write. */
export function writeError<Thrown>(error: Thrown, file: string): Thrown | Error {
  const why = REASONS[String(Object(error).code)]
  return why ? new Error(`${file} cannot be written. ${why}`, { cause: error }) : error
}
