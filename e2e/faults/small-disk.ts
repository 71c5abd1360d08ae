import { test } from '@playwright/test'

/** Skips a test where no small disk can be mounted; scripts/faults.mjs reports it, and fails in CI. */
export const needsSmallDisk = () =>
  test.skip(process.env.PLUMBLINE_WITHOUT_SMALL_DISK === '1', 'no small disk can be mounted here: that takes root')
