// A plugin for tests: breaks what it shares with others, as the answer says.
const options = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } }
const fail = () => {
  throw new Error('broken')
}
const breakages = {
  ITERATOR: () => {
    Array.prototype[Symbol.iterator] = fail
  },
  THENABLE: () => {
    // biome-ignore lint/suspicious/noThenProperty: this is the breakage.
    Object.prototype.then = fail
  },
  PROMISE: () => {
    // biome-ignore lint/suspicious/noThenProperty: this is the breakage.
    Promise.prototype.then = fail
  },
  DEFINED: () => Object.defineProperty(Map.prototype, 'get', { value: fail }),
  INHERITED: () => Object.setPrototypeOf(Array.prototype, null),
  GLOBALS: () => {
    JSON.stringify = JSON.parse = fail
    globalThis.structuredClone = globalThis.Map = globalThis.Set = globalThis.Error = fail
  },
  OBJECT: () => {
    Object.keys = Object.entries = Object.hasOwn = Object.fromEntries = Reflect.ownKeys = fail
  },
  PORT: () => {
    MessagePort.prototype.postMessage = fail
  },
  TIMER: () => void setTimeout(fail, 5),
  LATER: () => void setTimeout(() => process.exit(3), 5),
  REJECTED: () => void Promise.reject(new Error('past everybody')),
  EXIT: () => process.exit(0),
  LOOP: () => {
    for (;;);
  },
}

let checks = 0

/** Breaks what the first word in capitals of an answer says; finds nothing. */
export const breaker = {
  name: 'breaker',
  summary: 'Breaks things.',
  options,
  codes: { WORN: { severity: 'error', when: 'It was used before.', fix: 'Use another one.' } },
  instruct: () => '',
  prepare: () => ({
    check({ text }) {
      const [word = ''] = /[A-Z]{4,}/.exec(text) ?? []
      checks++
      if (Object.hasOwn(breakages, word)) breakages[word]()
      return word === 'COUNT' ? [{ kind: 'issue', code: 'WORN', message: `Checks: ${checks}.` }] : []
    },
  }),
}
