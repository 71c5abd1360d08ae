'use client'

import { type ComponentType, createContext } from 'react'
import type { Proving } from '@/lib/portal/form-result'

export type ConfirmProps = { proving: Proving; isOpen: boolean; onClose: () => void; onDone: () => void }

/**
 * The component that asks a person to confirm their identity; a form shows it beside itself and goes on once they have. The portal's frame
 * provides it, because forms know no actions but their own.
 */
export const Confirming = createContext<ComponentType<ConfirmProps> | undefined>(undefined)
