'use client'

import type { ReactNode } from 'react'
import { Confirming, type ConfirmProps } from '@/app/ui/confirming.client'
import { OnDemand, part } from '@/app/ui/on-demand.client'

const DIALOG = part(async () => (await import('./form.client')).ConfirmDialog)

const Confirm = (props: ConfirmProps) => <OnDemand of={DIALOG} isWanted={props.isOpen} props={props} />

/** Gives every form of the portal the dialog that asks people to confirm that it is them. */
export const ConfirmsPeople = ({ children }: { children: ReactNode }) => (
  <Confirming value={Confirm}>{children}</Confirming>
)
