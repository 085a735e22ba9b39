import { Frames } from '../shared/sse-frames.ts'

type Methods = Readonly<Record<string, unknown>>

/** The frames of the events that a method writes, for tests. */
export type Framed<Maker> = {
  readonly [Key in keyof Maker]-?: NonNullable<Maker[Key]> extends (...given: infer Given) => void ? (...given: Given) => string : never
}

/** An encoder or a writer whose methods return the frames of their events; none for a missing method. */
export function framed<Maker extends object>(make: (out: Frames) => Maker): Framed<Maker> {
  const out = new Frames()
  const maker = make(out)
  const call = (name: string, given: readonly unknown[]): string => {
    const method = (maker as Methods)[name]
    if (typeof method === 'function') method.apply(maker, given)
    return out.take()
  }
  return new Proxy({} as Framed<Maker>, {
    get:
      (_, name) =>
      (...given: unknown[]) =>
        call(String(name), given),
  })
}
