// A client of the Assay service.
export class Assay {}
