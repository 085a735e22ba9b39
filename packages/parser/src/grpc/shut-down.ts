import type { Server } from '@grpc/grpc-js'
import { systemClock } from '@stickler/core'
import { waitAtMost } from '@stickler/core/services'
import type { Admission } from './admission.ts'
import type { Listener } from './listen.ts'

/** For replies that are still on their way, and for clients that watch the health of the service, who never leave by themselves. */
const flushMs = 200

/** For calls that were cut off to note how they ended. */
const lastWordsMs = 1000

/** Takes no more calls, lets those under way end within the grace, after which `cutOff` is called, and ends the server. */
export async function shutDown(
  server: Server,
  listener: Listener,
  admission: Admission,
  graceMs: number,
  cutOff?: () => void,
): Promise<void> {
  listener.close()
  const ended = new Promise<void>((resolve) => server.tryShutdown(() => resolve()))
  const idle = admission.close()
  await within(graceMs, idle)
  cutOff?.()
  if (cutOff !== undefined) await within(lastWordsMs, idle)
  // Newer versions of Node do not count connections that were accepted here.
  await within(
    flushMs,
    ended.then(() => listener.idle()),
  )
  server.forceShutdown()
  listener.destroy()
}

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  await waitAtMost(work, { clock: systemClock, timeoutMs }, () => {})
}
