package console

import "github.com/stockhand/stockhand/internal/console/account"

// owning is the page of a person's own account.
func (c *Console) owning() []Route {
	h := account.Handlers{Frames: c.frames, People: c.People, SignIn: c.SignIn, Create: c.AnyoneCreates}
	return []Route{
		{"GET /o/{org_id}/account", "getSignInMethods", signedIn, "", h.Show},
		{"POST /o/{org_id}/account/prove", "confirmIdentity", signedIn, "", h.Prove},
		{"POST /o/{org_id}/account/prove/challenge", "startPasskeyProof", signedIn, "person.passkey_asked", h.AskProof},
		{"POST /o/{org_id}/account/password", "updatePassword", signedIn, "", h.SetPassword},
		{"POST /o/{org_id}/account/passkeys", "createPasskey", signedIn, "", h.AddPasskey},
		{"POST /o/{org_id}/account/passkeys/challenge", "startPasskey", signedIn, "person.passkey_asked", h.AskPasskey},
		{"POST /o/{org_id}/account/passkeys/{passkey_id}/remove", "removePasskey", signedIn, "", h.RemovePasskey},
		{"POST /o/{org_id}/account/identities/{identity_id}/remove", "removeIdentity", signedIn, "", h.RemoveIdentity},
		{"POST /o/{org_id}/account/codes", "startSecondFactor", signedIn, "person.second_factor_started", h.StartCodes},
		{"POST /o/{org_id}/account/codes/confirm", "confirmSecondFactor", signedIn, "", h.ConfirmCodes},
		{"POST /o/{org_id}/account/codes/renew", "createRecoveryCodes", signedIn, "", h.RenewCodes},
		{"POST /o/{org_id}/account/codes/remove", "removeSecondFactor", signedIn, "", h.EndCodes},
		{"POST /o/{org_id}/account/sign-ins/end", "revokeSignIns", signedIn, "", h.EndSignIns},
		{"POST /o/{org_id}/account/sign-ins/{sign_in_id}/end", "revokeSignIn", signedIn, "", h.EndSignIn},
		{"POST /o/{org_id}/account/organizations", "createOrganization", signedIn, "", h.CreateOrganization},
		{"POST /o/{org_id}/account/home", "updateMe", signedIn, "home.changed", h.SetHome},
		{"POST /o/{org_id}/account/leave", "leaveOrganization", signedIn, "", h.Leave},
		{"POST /invitations/{invitation_id}/accept", "acceptOwnInvitation", signedIn, "", h.Accept},
		{"POST /invitations/{invitation_id}/decline", "declineOwnInvitation", signedIn, "", h.Decline},
	}
}
