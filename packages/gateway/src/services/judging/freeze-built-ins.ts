/** Prototypes whose every member is assigned on objects of their own by ordinary code. */
const inherited = [Object, Function, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError]

/** What code assigns on objects that inherit it from any other prototype. */
const assigned: ReadonlySet<PropertyKey> = new Set([
  'constructor',
  'toString',
  'toLocaleString',
  'toJSON',
  'valueOf',
  'then',
  'catch',
  'finally',
  'next',
  Symbol.iterator,
])

/**
 * Freezes the prototypes of the language in this thread, so that no module can change them for others. What they hold can still
 * be assigned on objects that inherit it, as `error.name = …` and `Class.prototype.toString = …` do.
 */
export function freezeBuiltIns(): void {
  const all = new Set(inherited.map(({ prototype }) => prototype as object))
  for (const prototype of prototypes()) {
    const isInherited = all.has(prototype)
    for (const key of Reflect.ownKeys(prototype)) if (isInherited || assigned.has(key)) keepAssignable(prototype, key)
    Object.freeze(prototype)
  }
}

/** A frozen value could not be assigned where it is inherited; a setter can define it there. */
function keepAssignable(prototype: object, key: PropertyKey): void {
  const { value, configurable, writable, enumerable = false } = Reflect.getOwnPropertyDescriptor(prototype, key) ?? {}
  if (!configurable || !writable) return
  Reflect.defineProperty(prototype, key, {
    get: () => value as unknown,
    set(this: unknown, assigned: unknown) {
      const isOther = this !== prototype && ((typeof this === 'object' && this !== null) || typeof this === 'function')
      if (
        !isOther ||
        !Reflect.defineProperty(this as object, key, { value: assigned, writable: true, enumerable: true, configurable: true })
      )
        throw new TypeError(`Cannot assign to read only property '${String(key)}' of a built-in prototype`)
    },
    enumerable,
    configurable: true,
  })
}

function prototypes(): Set<object> {
  const found = new Set<object>()
  const add = (start: unknown): void => {
    for (
      let at: unknown = start;
      typeof at === 'object' && at !== null ? true : typeof at === 'function';
      at = Reflect.getPrototypeOf(at as object)
    )
      found.add(at as object)
  }
  for (const name of names) {
    const made = (globalThis as Record<string, unknown>)[name]
    if (typeof made === 'function') add(made.prototype)
  }
  const functions = [() => {}, async () => {}, function* () {}, async function* () {}]
  for (const one of functions) {
    add(Reflect.getPrototypeOf(one))
    add(
      (one as { prototype?: unknown }).prototype ? Reflect.getPrototypeOf((one as unknown as { prototype: object }).prototype) : undefined,
    )
  }
  for (const iterator of [[][Symbol.iterator](), ''[Symbol.iterator](), new Map().entries(), new Set().values(), ''.matchAll(/x/g)])
    add(Reflect.getPrototypeOf(iterator))
  return found
}

const names = [
  ...['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Date', 'RegExp', 'Promise', 'Iterator'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array'],
  ...['Float64Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array'],
  ...['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'AggregateError'],
]
