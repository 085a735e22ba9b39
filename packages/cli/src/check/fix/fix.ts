/** What became of the repairs of a file. */
export type Fix =
  | { readonly kind: 'written' }
  /** Nothing was written: this is what would be. */
  | { readonly kind: 'proposed'; readonly before: string; readonly after: string }
  | { readonly kind: 'refused'; readonly reason: string }
