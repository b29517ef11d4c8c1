import { useParams } from '@tanstack/react-router';

/** The demand partner whose pages these are, of the address. */
export function usePartnerId(): string {
  const { demandPartnerId = '' } = useParams({ strict: false });
  return demandPartnerId;
}

/** The pages of a demand partner, without a slash at the end. */
export function pagesOf(partnerId: string): string {
  return `/demand-partners/${partnerId}`;
}

/** What the API has of a demand partner, without a slash at the end. */
export function apiOf(partnerId: string) {
  return `/api/demand-partners/${partnerId}` as const;
}

/** The line items of a demand partner at the API. */
export function lineItemsApiOf(partnerId: string) {
  return `${apiOf(partnerId)}/line-items/xch/` as const;
}
