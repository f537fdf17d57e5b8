package api

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/auth/signin"
)

func (s *Server) listSignIns(ctx context.Context, in *struct{ Page }) (*List[wire.SignIn], error) {
	a := stockhand.ActorOf(ctx)
	return pageOf(in.Page, func(i stockhand.SignIn) stockhand.SignInID { return i.ID }, wire.SignInOf(a),
		func(before stockhand.SignInID, most int) ([]stockhand.SignIn, error) {
			return s.Auth.SignIns(ctx, a, before, most)
		})
}

func (s *Server) revokeSignIn(ctx context.Context, in *struct {
	ID stockhand.SignInID `path:"sign_in_id" doc:"A sign-in of yours, or current for that of this request"`
}) (*Answer[wire.EndedSignIns], error) {
	a := stockhand.ActorOf(ctx)
	if in.ID == "current" {
		in.ID = a.SignIn
	}
	if err := s.Auth.EndSignIn(ctx, a, in.ID); err != nil {
		return nil, err
	}
	return answerOf(wire.EndedSignIns{Ended: 1})
}

func (s *Server) revokeSignIns(ctx context.Context, in *struct {
	Others bool `query:"others" doc:"Keep the sign-in of this request"`
}) (*Answer[wire.EndedSignIns], error) {
	a := stockhand.ActorOf(ctx)
	var spared stockhand.SignInID
	if in.Others {
		spared = a.SignIn
	}
	ended, err := s.Auth.EndSignIns(ctx, a, spared)
	if err != nil {
		return nil, err
	}
	return answerOf(wire.EndedSignIns{Ended: ended})
}

// newPassword is a password that a person chooses.
type newPassword string

// Schema implements huma.SchemaProvider.
func (newPassword) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, MinLength: new(signin.LeastPassword),
		MaxLength: new(signin.MostPassword)}
}

func (s *Server) updatePassword(ctx context.Context, in *struct {
	Body struct {
		Current string      `json:"current_password,omitempty" maxLength:"800" doc:"Required if you have a password"`
		New     newPassword `json:"new_password" doc:"10 to 200 characters, and not one that is tried first"`
	}
}) (*struct{}, error) {
	return nil, s.SignIn.SetPassword(ctx, stockhand.ActorOf(ctx), in.Body.Current, string(in.Body.New))
}

func (s *Server) getSignInMethods(ctx context.Context, _ *struct{}) (*Answer[wire.SignInMethods], error) {
	return answerAs(signInMethods)(s.SignIn.Methods(ctx, stockhand.ActorOf(ctx)))
}

func signInMethods(m signin.Methods) wire.SignInMethods {
	return wire.SignInMethods{Password: m.Password, SecondFactor: !m.SecondFactor.Confirmed.IsZero(),
		RecoveryCodes: m.SecondFactor.RecoveryCodes, Passkeys: m.Passkeys, Identities: m.Identities}
}

func (s *Server) confirmIdentity(ctx context.Context, in *struct {
	Body struct {
		Code     string          `json:"code,omitempty" maxLength:"20" doc:"Of your app, or a recovery code: required if you have a second factor"`
		Password string          `json:"password,omitempty" maxLength:"800" doc:"Required otherwise"`
		Passkey  json.RawMessage `json:"passkey,omitempty" doc:"Instead of both: your device's answer to POST /me/step-up/passkey"`
	}
}) (*struct{}, error) {
	if len(in.Body.Passkey) > 0 {
		return nil, s.SignIn.StepUpByPasskey(ctx, stockhand.ActorOf(ctx), in.Body.Passkey)
	}
	return nil, s.SignIn.StepUp(ctx, stockhand.ActorOf(ctx), in.Body.Password, in.Body.Code)
}

func (s *Server) startSecondFactor(ctx context.Context, _ *struct{}) (*Answer[wire.NewSecondFactor], error) {
	return answerAs(func(e signin.Enrolment) wire.NewSecondFactor {
		return wire.NewSecondFactor{Secret: e.Secret, URL: e.URL}
	})(s.SignIn.EnrolSecondFactor(ctx, stockhand.ActorOf(ctx)))
}

func (s *Server) confirmSecondFactor(ctx context.Context, in *struct {
	Body struct {
		Code string `json:"code" maxLength:"20" doc:"What the app shows now" example:"287082"`
	}
}) (*Answer[wire.RecoveryCodes], error) {
	return answerAs(recoveryCodes)(s.SignIn.ConfirmSecondFactor(ctx, stockhand.ActorOf(ctx), in.Body.Code))
}

func (s *Server) createRecoveryCodes(ctx context.Context, _ *struct{}) (*Answer[wire.RecoveryCodes], error) {
	return answerAs(recoveryCodes)(s.SignIn.RenewRecoveryCodes(ctx, stockhand.ActorOf(ctx)))
}

func recoveryCodes(codes []string) wire.RecoveryCodes { return wire.RecoveryCodes{Secret: codes} }

func (s *Server) removeSecondFactor(ctx context.Context, _ *struct{}) (*struct{}, error) {
	return nil, s.SignIn.RemoveSecondFactor(ctx, stockhand.ActorOf(ctx))
}

func (s *Server) startPasskeyProof(ctx context.Context, _ *struct{}) (*Answer[wire.PasskeyOptions], error) {
	return answerAs(passkeyOptions)(s.SignIn.BeginPasskeyProof(ctx, stockhand.ActorOf(ctx)))
}

func (s *Server) startPasskey(ctx context.Context, _ *struct{}) (*Answer[wire.PasskeyOptions], error) {
	return answerAs(passkeyOptions)(s.SignIn.BeginNewPasskey(ctx, stockhand.ActorOf(ctx)))
}

func passkeyOptions(o json.RawMessage) wire.PasskeyOptions { return wire.PasskeyOptions{PublicKey: o} }

func (s *Server) createPasskey(ctx context.Context, in *struct {
	Body struct {
		Name       string          `json:"name" minLength:"1" maxLength:"100" example:"Laptop"`
		Credential json.RawMessage `json:"credential" doc:"Your device's answer: toJSON() of the PublicKeyCredential"`
	}
}) (*Answer[wire.Passkey], error) {
	return answerAs(wire.PasskeyOf)(
		s.SignIn.AddPasskey(ctx, stockhand.ActorOf(ctx), in.Body.Name, in.Body.Credential))
}

func (s *Server) listPasskeys(ctx context.Context, in *struct{ Page }) (*List[wire.Passkey], error) {
	return pageOf(in.Page, func(p stockhand.Passkey) stockhand.PasskeyID { return p.ID }, wire.PasskeyOf,
		func(before stockhand.PasskeyID, _ int) ([]stockhand.Passkey, error) {
			all, err := s.SignIn.Passkeys(ctx, stockhand.ActorOf(ctx)) // a person has at most 20
			return slices.DeleteFunc(all, func(p stockhand.Passkey) bool { return before != "" && p.ID >= before }), err
		})
}

func (s *Server) removePasskey(ctx context.Context, in *struct {
	ID stockhand.PasskeyID `path:"passkey_id"`
}) (*struct{}, error) {
	return nil, s.SignIn.RemovePasskey(ctx, stockhand.ActorOf(ctx), in.ID)
}

func (s *Server) listIdentities(ctx context.Context, in *struct{ Page }) (*List[wire.Identity], error) {
	return pageOf(in.Page, func(i stockhand.Identity) stockhand.IdentityID { return i.ID }, wire.IdentityOf,
		func(before stockhand.IdentityID, _ int) ([]stockhand.Identity, error) {
			all, err := s.SignIn.Identities(ctx, stockhand.ActorOf(ctx)) // a person has few
			return slices.DeleteFunc(all, func(i stockhand.Identity) bool { return before != "" && i.ID >= before }),
				err
		})
}

func (s *Server) removeIdentity(ctx context.Context, in *struct {
	ID stockhand.IdentityID `path:"identity_id"`
}) (*struct{}, error) {
	return nil, s.SignIn.RemoveIdentity(ctx, stockhand.ActorOf(ctx), in.ID)
}

func (s *Server) deleteMe(ctx context.Context, _ *struct{}) (*struct{}, error) {
	return nil, s.Auth.EraseSelf(ctx, stockhand.ActorOf(ctx))
}
