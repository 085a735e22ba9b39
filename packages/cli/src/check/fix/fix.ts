/** What happened to the repairs of a file. */
export type Fix =
  | { readonly kind: 'written' }
  /** A dry run: the text that would be written. */
  | { readonly kind: 'proposed'; readonly before: string; readonly after: string }
  | { readonly kind: 'refused'; readonly reason: string }
