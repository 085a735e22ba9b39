import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const preload = new URL('measured.mjs', import.meta.url).href
/** With all that V8 can log, a start takes long. */
const patienceMs = 60_000

/** Which cores are for the server under test and for everything else; nothing where processes cannot be pinned. */
export async function findCores() {
  try {
    const { stdout } = await run('taskset', ['-cp', String(process.pid)])
    const all = stdout.slice(stdout.lastIndexOf(':') + 1).trim()
    const [first, ...others] = all.split(',').flatMap(range)
    return others.length === 0 ? undefined : { tested: String(first), others: others.join(','), all }
  } catch {
    return undefined
  }
}

/** Keeps this process, with all its threads, to some cores. */
export async function pinSelf(cores) {
  if (cores !== undefined) await run('taskset', ['-acp', cores, String(process.pid)])
}

/** Starts a server with Node in a process of its own, and waits until it listens; what it logs goes to a file, as nobody should pay for reading it, and what Node prints into `printed`. */
export async function startServer({ args, env = {}, flags = [], cores, port, log, printed }) {
  const command = [process.execPath, ...flags, '--import', preload, ...args]
  const [file, ...rest] = cores === undefined ? command : ['taskset', '-c', cores, ...command]
  const output = openSync(log, 'w')
  const print = printed === undefined ? 'ignore' : openSync(printed, 'w')
  const child = spawn(file, rest, { stdio: ['ignore', print, output, 'ipc'], env: { PATH: process.env.PATH, ...env } })
  closeSync(output)
  if (print !== 'ignore') closeSync(print)
  for (const started = performance.now(); !(await listens(port)); await delay(50)) {
    if (child.exitCode === null && performance.now() - started < patienceMs) continue
    child.kill()
    throw new Error(`${args[0]} did not start: ${readFileSync(log, 'utf8').slice(-2000)}`)
  }
  return {
    port,
    printed,
    /** Milliseconds of the processor, bytes of memory, and promises where they are counted, since its start. */
    async usage() {
      child.send('usage')
      const [{ cpu, rss, promises }] = await once(child, 'message')
      return { cpuMs: (cpu.user + cpu.system) / 1000, rss, promises }
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/** A port that nobody listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** The path of a file beside this one. */
export function beside(name) {
  return fileURLToPath(new URL(name, import.meta.url))
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const settle = (found) => {
      socket.destroy()
      resolve(found)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })
}

function range(text) {
  const [from, to = from] = text.split('-').map(Number)
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
