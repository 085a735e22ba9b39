import { root, strict, ts } from './typescript.mjs'

/** What an editor says of each place of a program that a comment marks: what it shows, and its documentation. */
export function hoversOf(source) {
  const file = `${root}packages/core/dist/users-program.ts`
  const texts = new Map([[file, source]])
  const read = (path) => texts.get(path) ?? ts.sys.readFile(path)
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = read(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => strict,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
  })
  return [...source.matchAll(/\/\*\?\*\//g)].map(({ index, 0: mark }) => {
    const hover = service.getQuickInfoAtPosition(file, index + mark.length)
    return { shown: ts.displayPartsToString(hover?.displayParts), documentation: ts.displayPartsToString(hover?.documentation) }
  })
}
