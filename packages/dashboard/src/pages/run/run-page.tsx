import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** One run. */
export function RunPage({ name }: { readonly name: string }) {
  return (
    <Page title={name}>
      <Skeleton />
    </Page>
  )
}
