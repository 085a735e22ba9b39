/** The same object with some members of its own; what it writes to itself goes to the one below, so that it keeps its state. */
export function overlay<T extends object>(below: T, own: Readonly<Record<PropertyKey, unknown>>): T {
  return new Proxy(below, {
    get: (_, name, receiver) => (Object.hasOwn(own, name) ? own[name] : Reflect.get(below, name, receiver)),
    has: (_, name) => Object.hasOwn(own, name) || Reflect.has(below, name),
    set: (_, name, value) => Reflect.set(below, name, value),
  })
}

/** The nearest object among the prototypes that has a member itself, as base classes have what marks them. */
export function ownerOf(given: object, member: string): object | undefined {
  let owner: object | null = given
  while (owner !== null && !Object.hasOwn(owner, member)) owner = Object.getPrototypeOf(owner) as object | null
  return owner ?? undefined
}

/** Those of the named methods that an object has. */
export function methodsOf(owner: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.filter((name) => typeof Reflect.get(owner, name) === 'function').map((name) => [name, Reflect.get(owner, name)]),
  )
}
