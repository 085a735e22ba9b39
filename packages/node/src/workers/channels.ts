import { fork } from 'node:child_process'
import { type WorkerOptions, Worker as WorkerThread } from 'node:worker_threads'
import type { Channel, ChannelListener } from './worker.ts'

/** A channel to a thread. */
export interface ThreadChannel<Sent> extends Channel<Sent> {
  readonly thread: WorkerThread
}

/** Starts a thread; `stop` terminates it. */
export function openThread<Sent, Heard>(entry: string, options: WorkerOptions, listener: ChannelListener<Heard>): ThreadChannel<Sent> {
  const thread = new WorkerThread(entry, options)
  thread.unref()
  thread.on('message', (message: Heard) => listener.heard(message))
  thread.on('messageerror', () => listener.failed(new Error('a message of the thread could not be read')))
  thread.on('error', (error: unknown) => listener.failed(error))
  thread.once('exit', () => listener.ended())
  return {
    thread,
    send: (message) => thread.postMessage(message),
    hold: (isHeld) => (isHeld ? thread.ref() : thread.unref()),
    stop: () => void thread.terminate(),
  }
}

/** Starts a process of Node that gets nothing of the environment, and whose output is dropped; `stop` kills it. */
export function openProcess<Sent extends object, Heard>(entry: string, listener: ChannelListener<Heard>): Channel<Sent> {
  const child = fork(entry, { env: {}, execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  let isStopped = false
  const hold = (isHeld: boolean): void => {
    // Who exits does not leave one behind that is being ended.
    for (const one of [child, child.channel]) {
      if (isHeld || isStopped) one?.ref()
      else one?.unref()
    }
  }
  hold(false)
  child.on('message', (message) => listener.heard(message as Heard))
  child.on('error', ({ message }) => listener.ended(new Error(message)))
  child.once('exit', (code, signal) => listener.ended(new Error(signal ?? `code ${code}`)))
  return {
    // A dead process reports its end by itself.
    send: (message) => void child.send(message, () => {}),
    hold,
    stop() {
      isStopped = true
      hold(true)
      child.kill('SIGKILL')
    },
  }
}
