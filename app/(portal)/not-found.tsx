import { Missing } from '../missing'

/** A page of the portal whose record is not there; the frame stands around it already. */
export default Missing
