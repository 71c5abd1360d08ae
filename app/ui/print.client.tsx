'use client'

import { Button } from './button'

/** Opens the browser's print dialog. Without script it is not there: the browser's own menu has it. */
export const PrintButton = () => (
  <Button className="noscript:hidden" onClick={() => print()}>
    Print
  </Button>
)
