import type { Language, SourceParser } from '../language.ts'

/** JavaScript with JSX, as a script or as a module. */
export const javascript: Language = { name: 'javascript', load: () => load('source.jsx') }

/** TypeScript, whose assertions such as `<T>value` are not JSX. */
export const typescript: Language = { name: 'typescript', load: () => load('source.ts') }

/** TypeScript with JSX. */
export const tsx: Language = { name: 'tsx', load: () => load('source.tsx') }

async function load(filename: string): Promise<SourceParser> {
  const { findFaults } = await import('./find-faults.ts')
  return (source) => findFaults(filename, source)
}
