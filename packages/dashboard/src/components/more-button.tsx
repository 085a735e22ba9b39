import type { Pages } from '../app/use-pages.ts'

/** Loads the next page of a list, if there is one. */
export function MoreButton<Item>({ pages }: { readonly pages: Pages<Item> }) {
  if (!pages.hasMore) return null
  return (
    <p class="more-row">
      <button type="button" class="button" disabled={pages.isLoading} onClick={pages.more}>
        {pages.isLoading ? 'Loading …' : 'Show more'}
      </button>
    </p>
  )
}
