/** A new name for a run: the time in milliseconds, and then chance; names of later milliseconds sort behind. */
export function newRunId(nowMs: number, random: () => string): string {
  return `run_${nowMs.toString(36).padStart(9, '0')}_${random().replaceAll('-', '').slice(0, 16)}`
}
