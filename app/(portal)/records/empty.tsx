import { LinkButton } from '@/app/ui/button'
import { EmptyState } from '@/app/ui/empty-state'
import type { Role } from '@/lib/core/roles'
import type { Resource } from '@/lib/resources/define'
import { leadCurl } from '../leads/curl'

type Props = { resource: Resource; role: Role; isNarrowed: boolean }

/** A message for when there are no records, because of the filters or because none have been loaded. */
export function NoRecords({ resource: { name, singular, csv, madeByLeads }, role, isNarrowed }: Props) {
  if (isNarrowed)
    return (
      <EmptyState
        kind="filters"
        title={`No matching ${name}`}
        text={`None of the ${name} matches this search and these filters.`}
        action={<LinkButton href={`/${name}`}>{`Show all ${name}`}</LinkButton>}
      />
    )
  return (
    <EmptyState
      title={`No ${name} yet`}
      text={
        (role === 'admin'
          ? `Load ${csv.file} as your office software exports it`
          : `An administrator loads them from ${csv.file}`) +
        (madeByLeads ? `. Each lead also creates a ${singular}.` : '.')
      }
      action={role === 'admin' && <LinkButton href="/data/load">Load files</LinkButton>}
      {...(madeByLeads && role !== 'viewer' && { curl: leadCurl() })}
    />
  )
}
