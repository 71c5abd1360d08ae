import { Missing } from '../missing'

/** The page shown inside the portal's frame when a page's record does not exist. */
export default Missing
