'use client'

import { Tooltip } from '@base-ui/react/tooltip'
import type { RefObject } from 'react'
import { landmarkOf } from './landmark'

export type TooltipBubbleProps = {
  isOpen: boolean
  onClose: () => void
  button: RefObject<HTMLButtonElement | null>
  text: string
}

/** The bubble of a tooltip, loaded with the first one; see `Tooltip`. */
export function TooltipBubble({ isOpen, onClose, button, text }: TooltipBubbleProps) {
  return (
    <Tooltip.Root open={isOpen} onOpenChange={(opens) => !opens && onClose()}>
      <Tooltip.Portal container={landmarkOf(button.current)}>
        <Tooltip.Positioner
          anchor={button}
          side="bottom"
          sideOffset={6}
          positionMethod="fixed"
          collisionPadding={8}
          className="z-50"
        >
          <Tooltip.Popup
            role="tooltip"
            className="w-max max-w-64 rounded-md bg-ink px-2.5 py-1.5 text-sm text-ground shadow-lg"
          >
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
