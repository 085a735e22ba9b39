// A language whose programs do what they say, for tests of what runs parsers; `?load=…` in its address does it while the language is loaded.
import { appendFileSync } from 'node:fs'

const place = { line: 1, column: 1, endLine: 1, endColumn: 2 }

const deeds = {
  valid: () => [],
  invalid: (message) => [{ ...place, message }],
  throw: () => {
    throw new Error('no grammar for this')
  },
  hang: () => {
    for (;;);
  },
  deep: () => deeds.deep() + 1,
  hoard: () => {
    for (const kept = []; ; ) kept.push(Array.from({ length: 10_000 }, () => ({})))
  },
  exit: () => process.exit(3),
  // As native code does whose stack is full.
  segfault: () => {
    process.kill(process.pid, 'SIGSEGV')
    deeds.hang()
  },
  // Where a fault is, as JSON.
  at: (fault) => JSON.parse(fault),
  uncopied: () => [{ ...place, message: () => {} }],
  // Counts in a file how often it was parsed.
  note: (file) => {
    appendFileSync(file, '.')
    return []
  },
  'note-and-segfault': (file) => {
    appendFileSync(file, '.')
    deeds.segfault()
  },
  // In which process it was parsed, after a while.
  pid: (ms) => {
    deeds.wait(ms)
    return [{ ...place, message: String(process.pid) }]
  },
  // biome-ignore lint/style/noProcessEnv: the test shows that it is empty.
  environment: () => [{ ...place, message: JSON.stringify(process.env) }],
  wait: (ms) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms))
    return []
  },
}

function perform(source) {
  const [deed, ...rest] = source.trim().split(' ')
  return (deeds[deed] ?? deeds.valid)(rest.join(' '))
}

export const language = {
  name: 'scripted',
  async load() {
    const load = new URL(import.meta.url).searchParams.get('load')
    if (load === 'never') await new Promise(() => setInterval(() => {}, 1000))
    else if (load !== null) perform(load)
    return perform
  },
}
