/** What hostile texts for a scanner are made of: its tokens, and how such a text may start. */
export const grammar = (tokens, ...starts) => ({ tokens, starts })
