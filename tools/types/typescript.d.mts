/** The folder of the repository. */
export const root: string

/** What tests use of the compiler. */
export const ts: {
  preProcessFile(
    text: string,
    readImports: boolean,
    detectJavaScript: boolean,
  ): { readonly importedFiles: readonly { readonly fileName: string }[] }
}
