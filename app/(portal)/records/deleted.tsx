import { Time } from '@/app/session/time'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { Id } from '@/app/ui/id.client'
import { inWords } from '@/lib/core/resource-names'

/** The page of a record that was deleted. */
export const Deleted = ({ singular, path, id, at }: { singular: string; path: string; id: string; at: Date }) => (
  <PageHead
    title={`Deleted ${singular}`}
    text={
      <>
        <Id id={id} /> was deleted on <Time at={at} />.
      </>
    }
    actions={<LinkButton href={path}>{`All ${inWords(path.slice(1))}`}</LinkButton>}
  />
)
