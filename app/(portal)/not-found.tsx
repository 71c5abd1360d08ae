import { Missing } from '../missing'

/** Shown inside the portal's frame when a page's record does not exist. */
export default Missing
