/** Loads a package by its name, or nothing where it is not installed. */
export function optional<Module>(name: string): Promise<Module | undefined> {
  return import(/* @vite-ignore */ name).catch(() => undefined)
}
