import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** One session. */
export function SessionPage({ name }: { readonly name: string }) {
  return (
    <Page title={name}>
      <Skeleton />
    </Page>
  )
}
