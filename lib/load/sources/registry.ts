import { accuLynx } from './acculynx'
import { buildertrend } from './buildertrend'
import { housecallPro } from './housecall-pro'
import { hubSpot } from './hubspot'
import { jobber } from './jobber'
import type { SourceFile } from './mapping'
import { pipedrive } from './pipedrive'
import { quickbooksDesktop } from './quickbooks-desktop'
import { quickbooksOnline } from './quickbooks-online'
import { serviceTitan } from './servicetitan'
import { xero } from './xero'

/** The files of other software that are recognized. A new vendor is a new file beside these, and a line here. */
export const SOURCE_FILES: readonly SourceFile[] = [
  ...quickbooksOnline,
  ...quickbooksDesktop,
  ...xero,
  ...jobber,
  ...housecallPro,
  ...serviceTitan,
  ...buildertrend,
  ...accuLynx,
  ...hubSpot,
  ...pipedrive,
]
