const width = 9

/** Makes names for runs: the time in milliseconds, then what is unique to this process, then a counter; later names sort behind. */
export function runIds(random: () => string): (nowMs: number) => string {
  const process = random().replaceAll('-', '').slice(0, 12)
  let count = 0
  return (nowMs) => {
    count = (count + 1) % 36 ** 5
    return `run_${nowMs.toString(36).padStart(width, '0')}_${process}${count.toString(36).padStart(5, '0')}`
  }
}
