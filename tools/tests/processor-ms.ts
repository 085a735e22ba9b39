/** What some work takes of the processor, in milliseconds: unlike the time that passes, it does not depend on what else the machine does. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return process.cpuUsage(before).user / 1000
}
