import type { Server } from '@grpc/grpc-js'
import type { Admission } from './admission.ts'

/** For replies that are still on their way, and for clients that watch the health of the service, who never leave by themselves. */
const flushMs = 200

/** Takes no more calls, lets those under way end within the grace, after which `cutOff` is called, and ends the server. */
export async function shutDown(server: Server, admission: Admission, graceMs: number, cutOff = () => {}): Promise<void> {
  const ended = new Promise<void>((resolve) => server.tryShutdown(() => resolve()))
  await within(graceMs, admission.close())
  cutOff()
  await within(flushMs, ended)
  server.forceShutdown()
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
