/** A row of the publisher's report; requests are there where `date` is among the dimensions. */
export interface ReportRow {
  readonly date?: string;
  /** The ad space. */
  readonly zone_id?: number;
  readonly impressions: number;
  readonly clicks: number;
  /** US dollars. */
  readonly payout: number;
  readonly requests?: number;
  readonly filled_requests?: number;
}

export interface Report {
  readonly data: readonly ReportRow[];
}
