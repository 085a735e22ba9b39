import { Page } from '../../components/page.tsx'
import { Skeleton } from '../../components/state.tsx'

/** One contract. */
export function ContractPage({ name }: { readonly name: string }) {
  return (
    <Page title={name}>
      <Skeleton />
    </Page>
  )
}
