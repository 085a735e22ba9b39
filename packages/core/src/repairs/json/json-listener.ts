/** Receives a JSON value while it is read, in text order. */
export interface JsonListener {
  /** An object or array begins at the current place. */
  open(kind: 'object' | 'array'): void
  /** The innermost one is complete. */
  close(container: unknown): void
  /** The name of the member that comes next. */
  key(name: string): void
  /** A whole value at the current place. */
  put(value: unknown): void
  /** The string at the current place says this so far. */
  grow(text: string): void
  /** The last item of the innermost array is not one: it was the next key. */
  takeBack(): void
}
